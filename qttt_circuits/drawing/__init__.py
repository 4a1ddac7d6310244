"""Drawing boards, one file a medium."""
