"""What the estimators share: validation, parameters, memory plan, pair and label methods."""
