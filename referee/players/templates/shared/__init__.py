"""What the agents have in common, written once; each agent carries copies (`python -m shared`)."""
