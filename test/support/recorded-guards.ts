// Lighthouse assertions that wallets added to transactions that landed on Mainnet, byte for byte, and the two
// Lighthouse instructions that do more than assert.

/** An instruction's name and data. Its accounts differ between transactions. */
interface RecordedGuard {
  readonly name: string;
  /** The transaction in which it landed. */
  readonly signature: string;
  /** Hexadecimal. */
  readonly data: string;
}

/**
 * A wallet's guards for a native stake: one assertion about the wallet and one about its stake account. The log
 * level is silent, as in wallets.
 */
const STAKE_GUARDS: readonly [onWallet: RecordedGuard, onStakeAccount: RecordedGuard] = [
  {
    name: 'assertAccountInfoMulti',
    signature: '6LHBhFVLwuqiH93znCkyzMBZCkye5eHSBBeNZsz7m7M4SmJny9PQkiWtzdquEQvPfHVmn6bT6AeMa4pjNCVbefA',
    data: '0605030070016702000000000400640201040000000005030000',
  },
  {
    name: 'assertStakeAccountMulti',
    signature: '6LHBhFVLwuqiH93znCkyzMBZCkye5eHSBBeNZsz7m7M4SmJny9PQkiWtzdquEQvPfHVmn6bT6AeMa4pjNCVbefA',
    data: '0c05030102d84c4abd2f20e3db087a883a42ae8842757353baf82c99376c9a088beb2fbd8b000101d84c4abd2f20e3db087a883a42ae8842757353baf82c99376c9a088beb2fbd8b000201c09121000000000004',
  },
];

/** All recorded guard instructions. They assert a state and change nothing. */
export const RECORDED_GUARDS: readonly RecordedGuard[] = [
  ...STAKE_GUARDS,
  {
    name: 'assertAccountDelta',
    signature: '66hhUzJEyouUj6Zge5kK8UQxKncTbmntXCPeHAL9pLEQQKeAAVKoyTwSRuF59EuMAhJcwgwEgyY6X3svHdSgHZzL',
    data: '0401000000001f0afaffffffffffffffffffffffff04',
  },
  {
    name: 'assertAccountInfo',
    signature: '43PnzYerXr5b4LNf8A1j8kqztt8Voa7oiL9pzDTmWwSKCeLdZbLLJRd9A2XebiJvRP6kjNW6pF4mnGYnbSsRNXoU',
    data: '050400000000000000000000',
  },
  {
    name: 'assertTokenAccount',
    signature: '5ZtLCLaUGDVXyCZhKLiiNTFqasqUAwahpEeFNHM86amL2awLDByWkuWAdz6C7gdt1GRmfDbjUooh8ozL6a5LUyeZ',
    data: '09000266c669c50100000002',
  },
  {
    name: 'assertSysvarClock',
    signature: '5dakXwp5QTySbvc6P1Wp9MLZubnnG4R1Dh6cWSgNv6w1xt2JMsTp7EZvWEUxk9YLbJZHG97TT3jMVJ4yMTXKjM2L',
    data: '0f0000a6ee86120000000003',
  },
];

/** Recorded instructions of the same program that write: the payer funds a memory account, and it is closed. */
export const RECORDED_MEMORY: readonly RecordedGuard[] = [
  {
    name: 'memoryWrite',
    signature: '66hhUzJEyouUj6Zge5kK8UQxKncTbmntXCPeHAL9pLEQQKeAAVKoyTwSRuF59EuMAhJcwgwEgyY6X3svHdSgHZzL',
    data: '0000fe000101',
  },
  {
    name: 'memoryClose',
    signature: '4L7Bfjj8P5GyChqaVmVFbxxgzrhzAkBJU6Tk3DtsL75m35GYTS35q9mQbUUcpffDj2g14xxWRARWFtMUGpeEDxnG',
    data: '0100fe',
  },
];

export const guardBytes = ({ data }: RecordedGuard): Uint8Array => Uint8Array.from(Buffer.from(data, 'hex'));
