"""Stakes 2 SOL with the client that openapi-python-client generates from the OpenAPI document, and signs with solders."""

import base64
import json
import sys

from holdfast_client import Client
from holdfast_client.api.sandbox import sandbox_airdrop
from holdfast_client.api.stake import list_stake_accounts
from holdfast_client.api.transactions import (
    create_stake_transaction,
    submit_transaction,
)
from holdfast_client.models import (
    CreateStakeTransactionBody,
    CreateStakeTransactionResponse200,
    ListStakeAccountsResponse200,
    SandboxAirdropBody,
    SandboxAirdropResponse200,
    SubmitTransactionBody,
    SubmitTransactionResponse200,
)
from solders.keypair import Keypair
from solders.message import to_bytes_versioned
from solders.transaction import VersionedTransaction

client = Client(base_url=sys.argv[1])
keypair = Keypair()
wallet = str(keypair.pubkey())

airdrop = sandbox_airdrop.sync(client=client, body=SandboxAirdropBody(wallet_address=wallet, amount_sol=10))
assert isinstance(airdrop, SandboxAirdropResponse200), airdrop
built = create_stake_transaction.sync(
    client=client, body=CreateStakeTransactionBody(wallet_address=wallet, amount_sol=2)
)
assert isinstance(built, CreateStakeTransactionResponse200), built
unsigned = VersionedTransaction.from_bytes(base64.b64decode(built.transaction))
message = unsigned.message
place = list(message.account_keys).index(keypair.pubkey())
signatures = list(unsigned.signatures)
signatures[place] = keypair.sign_message(to_bytes_versioned(message))
signed = bytes(VersionedTransaction.populate(message, signatures))
submitted = submit_transaction.sync(
    client=client, body=SubmitTransactionBody(signed_transaction=base64.b64encode(signed).decode())
)
assert isinstance(submitted, SubmitTransactionResponse200), submitted
accounts = list_stake_accounts.sync(wallet, client=client)
assert isinstance(accounts, ListStakeAccountsResponse200), accounts
print(json.dumps({"version": str(built.transaction_version), "accounts": len(accounts.accounts)}))
