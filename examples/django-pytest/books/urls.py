from rest_framework import serializers, viewsets
from rest_framework.routers import SimpleRouter

from .models import Book


class BookSerializer(serializers.ModelSerializer):
    class Meta:
        model = Book
        fields = ["id", "title", "pages"]


class BookViewSet(viewsets.ModelViewSet):
    serializer_class = BookSerializer
    http_method_names = ["get", "post", "delete"]

    def get_queryset(self):
        return Book.objects.filter(title__contains=self.request.query_params.get("title", "")).order_by("id")


router = SimpleRouter(trailing_slash=False)
router.register("books", BookViewSet, basename="book")
urlpatterns = router.urls
