"""A lending library. Three of its access checks are wrong, which comments mark as faults."""

from typing import Annotated

from fastapi import Depends, FastAPI, HTTPException, Security
from fastapi.security import APIKeyHeader
from pydantic import BaseModel

USERS = {
    "key-of-ann": ("ann", "reader"),
    "key-of-ben": ("ben", "reader"),
    "key-of-lea": ("lea", "librarian"),
    "key-of-root": ("root", "admin"),
}

app = FastAPI(title="Lending library", version="1.0.0")


class Problem(BaseModel):
    detail: str


class NewLoan(BaseModel):
    book: str


class Loan(NewLoan):
    id: int
    reader: str


class Report(BaseModel):
    loans: int


REFUSALS = {401: {"model": Problem}, 403: {"model": Problem}}
UNKNOWN = {404: {"model": Problem}}

loans: dict[int, Loan] = {}
readers = {"ann", "ben"}


def signed_in(key: Annotated[str | None, Security(APIKeyHeader(name="X-Api-Key", auto_error=False))]) -> tuple[str, str]:
    if key not in USERS:
        raise HTTPException(401, "Who are you?")
    return USERS[key]


User = Annotated[tuple[str, str], Depends(signed_in)]


def only(user: tuple[str, str], *roles: str) -> None:
    if user[1] not in roles:
        raise HTTPException(403, "Not for you")


@app.post("/loans", status_code=201, responses=REFUSALS)
def borrow(new: NewLoan, user: User) -> Loan:
    only(user, "reader")
    loan = Loan(id=len(loans) + 1, book=new.book, reader=user[0])
    loans[loan.id] = loan
    return loan


@app.get("/loans/{loan_id}", responses=REFUSALS | UNKNOWN)
def show(loan_id: int, user: User) -> Loan:
    only(user, "reader", "librarian", "admin")
    if loan_id not in loans:
        raise HTTPException(404, "There is no such loan")
    # Fault 1: readers get the loans of other readers.
    return loans[loan_id]


@app.delete("/loans/{loan_id}", status_code=204, responses=REFUSALS | UNKNOWN)
def give_back(loan_id: int, user: User) -> None:
    only(user, "reader", "librarian", "admin")
    if loan_id not in loans:
        raise HTTPException(404, "There is no such loan")
    if user[1] == "reader" and loans[loan_id].reader != user[0]:
        raise HTTPException(403, "Not your loan")
    loans[loan_id] = loans[loan_id].model_copy(update={"book": ""})


# Fault 2: the role is not checked, so readers see the report on all loans.
@app.get("/reports/loans", responses=REFUSALS)
def count(user: User) -> Report:
    return Report(loans=len(loans))


# Fault 3: one role too many. Only the administrator may remove readers.
@app.delete("/readers/{name}", status_code=204, responses=REFUSALS)
def remove(name: str, user: User) -> None:
    only(user, "librarian", "admin")
    readers.discard(name)
