"""What the tests have in common: helpers, stand-ins for servers, copies of packages."""
