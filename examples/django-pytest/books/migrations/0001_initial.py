from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    operations = [
        migrations.CreateModel(
            name="Book",
            fields=[
                ("id", models.BigAutoField(primary_key=True)),
                ("title", models.CharField(max_length=80)),
                ("pages", models.IntegerField(validators=[MinValueValidator(1), MaxValueValidator(5000)])),
            ],
        ),
    ]
