from rest_framework.test import APITestCase


class BookTests(APITestCase):
    def create(self, **book):
        return self.client.post("/api/books", {"title": "Momo", "pages": 304, **book}, format="json")

    def test_a_book_is_created_and_read(self):
        created = self.create()
        self.assertEqual(created.status_code, 201)
        read = self.client.get(f"/api/books/{created.data['id']}")
        self.assertEqual(read.data["title"], "Momo")

    def test_a_wrong_book_is_refused(self):
        self.assertEqual(self.create(pages=0).status_code, 400)
        self.assertEqual(self.create(title="").status_code, 400)

    def test_books_are_found_by_their_titles(self):
        self.create()
        self.assertEqual(len(self.client.get("/api/books", {"title": "Mo"}).data), 1)
        self.assertEqual(len(self.client.get("/api/books", {"title": "Krabat"}).data), 0)

    def test_what_is_not_there_is_not_found(self):
        self.assertEqual(self.client.get("/api/books/999").status_code, 404)
