"""Identity, instances and plan: what the client asks for when it logs in."""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import Any

from .client_env import INSTANCE, OTHER_INSTANCE, TOKEN

INSTANCES = {INSTANCE: "stand-in-open", OTHER_INSTANCE: "stand-in-other"}
"""Names of the instances of the account, by CRN."""

PLAN = "plan-open"
LIFETIME = 3600
LIMIT_SECONDS = 600
SECRET = hashlib.sha256(TOKEN.encode()).digest()


def make_token() -> dict[str, Any]:
    """Returns the answer to a correct API key: a token that also a restarted server accepts."""
    issued = int(time.time())
    claims = {"iat": issued, "exp": issued + LIFETIME, "iss": "http://iam.cloud.test", "sub": "me"}
    signed = _encode({"alg": "HS256", "typ": "JWT"}) + "." + _encode(claims)
    return {
        "access_token": f"{signed}.{_signature(signed)}",
        "refresh_token": "not_supported",
        "token_type": "Bearer",
        "expires_in": LIFETIME,
        "expiration": issued + LIFETIME,
        "scope": "ibm openid",
    }


def authorized(headers: Mapping[str, str]) -> bool:
    """Tells whether a request carries a token of this account, or, as is allowed, its API key."""
    kind, _, value = headers.get("authorization", "").partition(" ")
    if kind == "apikey":
        return value == TOKEN
    signed, _, signature = value.rpartition(".")
    if kind != "Bearer" or not hmac.compare_digest(signature, _signature(signed)):
        return False
    claims = signed.partition(".")[2]
    padded = claims + "=" * (-len(claims) % 4)
    return bool(json.loads(base64.urlsafe_b64decode(padded))["exp"] > time.time())


def search() -> dict[str, Any]:
    """Returns the instances of the account, as the resource search lists them."""
    items = [
        {
            "crn": crn,
            "name": name,
            "service_name": "quantum-computing",
            "service_plan_unique_id": PLAN,
            "tags": [],
            "doc": {"extensions": [{"type": "stand-in"}]},
        }
        for crn, name in INSTANCES.items()
    ]
    return {"items": items, "limit": 100}


def plan() -> dict[str, Any]:
    """Returns the plan of the instances, as the global catalogue describes it."""
    return {
        "id": PLAN,
        "kind": "plan",
        "name": "open",
        "overview_ui": {"en": {"display_name": "Open"}},
        "metadata": {"pricing": {"type": "free"}},
    }


def usage(instance: str, consumed: int) -> dict[str, Any]:
    """Returns how much of an instance's time is used.

    Args:
        instance: Its CRN.
        consumed: Seconds used.
    """
    return {
        "instance_id": instance,
        "plan_id": PLAN,
        "usage_consumed_seconds": consumed,
        "usage_limit_seconds": LIMIT_SECONDS,
        "usage_limit_reached": consumed >= LIMIT_SECONDS,
    }


def _encode(value: Mapping[str, Any]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _signature(signed: str) -> str:
    digest = hmac.new(SECRET, signed.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")
