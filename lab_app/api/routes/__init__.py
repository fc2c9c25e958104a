"""The calls, one module per noun. Each reads its body, calls one service and renders what it gives."""
