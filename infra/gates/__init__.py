"""Gates that run beside the suite: attacks, audits, prices."""
