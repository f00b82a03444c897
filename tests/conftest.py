"""Random tests draw the same examples every time, so that a failure can be met again."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
