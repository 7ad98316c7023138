// The measured unit costs that the model uses, and the type of a measurement.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Costs of one unit of work. CPU time is that of the service's processes. */
export interface ScaleCosts {
  /** Registering a webhook, and delivering one event to it. */
  readonly registrationCpuUs: number;
  readonly deliveryCpuUs: number;
  readonly deliveriesPerSecond: number;
  readonly registrationStoreBytes: number;
  readonly eventStoreBytes: number;
  /** Reading the summary of a wallet that is in the index. */
  readonly readCpuUs: number;
  readonly readCalls: number;
  readonly readUpstreamBytes: number;
  /** Building, submitting and confirming a stake. */
  readonly actCpuUs: number;
  readonly actCalls: number;
  readonly actUpstreamBytes: number;
  /** Costs of one process without requests. */
  readonly idleCpuMsPerHour: number;
  readonly idleCallsPerHour: number;
  readonly idleUpstreamBytesPerHour: number;
  /** Index costs per stake account. */
  readonly indexBytes: number;
  readonly scanPeakBytes: number;
  readonly scanCpuUs: number;
  readonly scanUpstreamBytes: number;
  readonly delegatorsBoundaryUs: number;
}

/** Result of a measurement: a table, and the unit costs derived from it. */
export interface Measurement {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly costs?: Partial<ScaleCosts>;
}

const FILE = join(import.meta.dirname, 'costs.json');

export const readCosts = (): Partial<ScaleCosts> =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};

/** Replaces the given costs, rounded to three significant digits. */
export const writeCosts = (costs: Partial<ScaleCosts>): void => {
  const rounded = Object.entries(costs).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  writeFileSync(FILE, `${JSON.stringify({ ...readCosts(), ...Object.fromEntries(rounded) }, null, 2)}\n`);
};
