from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models


class Book(models.Model):
    title = models.CharField(max_length=80)
    pages = models.IntegerField(validators=[MinValueValidator(1), MaxValueValidator(5000)])

    def __str__(self) -> str:
        return self.title
