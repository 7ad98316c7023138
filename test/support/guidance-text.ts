// Prints guidance with the names of its operations, for tests of its text in any interface.
import { createGuidancePrinter } from '../../src/adapter/print-guidance.ts';
import { type Guidance, guidanceParts, isStep } from '../../src/kernel/guidance.ts';

/** Prints guidance, for example `Poll transactionState(signature: 5x…) until it is settled.` */
export const guidanceText = (given: Guidance | undefined): string =>
  guidanceParts(given ?? '')
    .map((part) => {
      if (typeof part === 'string') return part;
      if (!isStep(part)) return guidanceText(part.forPrograms);
      const params = Object.entries(part.params ?? {}).map(([name, value]) => `${name}: ${value}`);
      return params.length === 0 ? part.operation : `${part.operation}(${params.join(', ')})`;
    })
    .join('');

/** Prints guidance for a service without routes and tools. */
export const printGuidance = createGuidancePrinter({ routes: [], tools: [], publicUrl: () => '' });
