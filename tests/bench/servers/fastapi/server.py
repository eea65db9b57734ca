"""A FastAPI server with the description that FastAPI generates."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address
from typing import Annotated, Literal, Optional, Union
from uuid import UUID

from fastapi import FastAPI, File, Form, Header, HTTPException, Path, Query, UploadFile
from pydantic import UUID1, UUID4, UUID7, AnyUrl, BaseModel, ConfigDict, EmailStr, Field, SecretStr

app = FastAPI(title="Accounts", version="1.0.0")
ACCOUNTS: dict[str, dict] = {}


class Role(str, Enum):
    reader = "reader"
    editor = "editor"


class Address(BaseModel):
    street: str = Field(min_length=3, max_length=60)
    zip: str = Field(pattern=r"^\d{5}$")
    country: Literal["DE", "SE", "PL"] = "DE"


class Contact(BaseModel):
    kind: Literal["mail"]
    address: EmailStr


class Phone(BaseModel):
    kind: Literal["phone"]
    number: str = Field(pattern=r"^\+[1-9]\d{6,14}$")


class Account(BaseModel):
    model_config = ConfigDict(extra="forbid")
    email: EmailStr
    name: str = Field(min_length=1, max_length=40)
    password: SecretStr = Field(min_length=8)
    roles: set[Role] = Field(default_factory=set, max_length=2)
    balance: Decimal = Field(default=Decimal(0), ge=0, max_digits=8, decimal_places=2)
    limit: Optional[Decimal] = None
    born: Optional[date] = None
    wakes: Optional[time] = None
    seen: Optional[datetime] = None
    session: Optional[timedelta] = None
    device: Optional[UUID4] = None
    trace: Optional[UUID7] = None
    origin: Optional[UUID1] = None
    site: Optional[AnyUrl] = None
    host: Optional[IPv4Address] = None
    address: Optional[Address] = None
    contact: Annotated[Union[Contact, Phone, None], Field(discriminator="kind")] = None
    tags: list[Annotated[str, Field(min_length=1, max_length=12)]] = Field(default=[], max_length=5)
    scores: dict[str, Union[int, float]] = {}
    ratio: Optional[float] = Field(default=None, gt=0, lt=1)
    even: Optional[int] = Field(default=None, multiple_of=2)


class Change(BaseModel):
    name: Optional[str] = Field(default=None, min_length=1, max_length=40)
    limit: Union[Decimal, None] = None
    roles: Optional[list[Role]] = None


@app.get("/accounts", tags=["accounts"])
def list_accounts(
    role: Optional[Role] = None,
    born_after: Optional[date] = None,
    min_balance: Annotated[Optional[Decimal], Query(ge=0)] = None,
    page: Annotated[int, Query(ge=1, le=50)] = 1,
    device: Optional[UUID4] = None,
    verified: Optional[bool] = None,
    ids: Annotated[list[int], Query(max_length=10)] = [],
    name: Annotated[Optional[str], Query(min_length=2, pattern="^[a-z ]+$")] = None,
    x_trace: Annotated[Optional[UUID], Header()] = None,
) -> list[dict]:
    return list(ACCOUNTS.values())


@app.post("/accounts", tags=["accounts"], status_code=201)
def add_account(account: Account) -> dict:
    if account.email in ACCOUNTS:
        raise HTTPException(409, "taken")
    ACCOUNTS[account.email] = account.model_dump(mode="json")
    return ACCOUNTS[account.email]


@app.get("/accounts/{number}", tags=["accounts"])
def get_account(number: Annotated[int, Path(ge=1, le=10_000)], fields: Optional[list[str]] = Query(None)) -> dict:
    return {"number": number}


@app.patch("/accounts/{number}", tags=["accounts"])
def change_account(number: Annotated[int, Path(ge=1)], change: Change) -> dict:
    return {"number": number}


@app.put("/accounts/{number}/picture", tags=["pictures"])
def put_picture(
    number: Annotated[int, Path(ge=1)],
    picture: Annotated[Optional[UploadFile], File()] = None,
    caption: Annotated[Optional[str], Form(max_length=60)] = None,
    crop: Annotated[Optional[int], Form(ge=0)] = None,
) -> dict:
    return {"number": number}


@app.post("/login", tags=["session"])
def login(name: Annotated[str, Form(min_length=1)], password: Annotated[str, Form(min_length=4)], remember: Annotated[bool, Form()] = False) -> dict:
    return {}


@app.post("/transfers", tags=["transfers"])
def transfer(amounts: Annotated[list[Decimal], Field(min_length=1, max_length=5)], dry: Optional[bool] = None, when: Optional[datetime] = None) -> dict:
    return {}


@app.delete("/devices/{device}", tags=["devices"], status_code=204)
def remove_device(device: UUID4, reason: Optional[Literal["lost", "sold"]] = None) -> None:
    return None
