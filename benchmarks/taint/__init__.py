"""How much of what an agent repeats from a page is recognised, and how much of its own notes is mistaken for that."""
