"""GitHub: its REST interface, and what a step of Actions is told. Only ``client`` loads urllib3."""
