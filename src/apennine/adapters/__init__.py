"""The games behind the interfaces that programs which learn expect. Needs the extra `rl`."""
