// Shows the instructions of any transaction, including accounts from lookup tables.
import type { Address } from '@solana/kit';
import { z } from 'zod';
import type { DecodedInstruction } from '../../domain/instruction-types.ts';
import { sentenceShape } from '../shared-schemas.ts';

export const shownInstructionsSchema = z
  .array(
    z
      .object({
        program: z.string().meta({ description: "The program's name, or its address if unknown." }),
        programId: z.string(),
        name: z.string().meta({ description: "The instruction's name, or `unknown`." }),
        ...sentenceShape('summary', 'Its effect, in one sentence.'),
        accounts: z.array(
          z
            .object({
              address: z
                .string()
                .nullable()
                .meta({ description: 'Null if the address is in a lookup table.' }),
              role: z.string(),
              signer: z.boolean(),
              writable: z.boolean(),
            })
            .meta({ id: 'ShownAccount' }),
        ),
      })
      .meta({ id: 'ShownInstruction' }),
  )
  .meta({ description: 'Every top-level instruction, decoded from the bytes.' });

/** Removes the raw fields that responses do not show. */
export const showInstructions = <A extends Address | null>(instructions: readonly DecodedInstruction<A>[]) =>
  instructions.map(({ program, programId, name, summary, summarySentences, accounts }) => ({
    program,
    programId,
    name,
    summary,
    summarySentences: [...summarySentences],
    accounts: accounts.map(({ address, role, signer, writable }) => ({ address, role, signer, writable })),
  }));
