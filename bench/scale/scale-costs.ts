// The measured unit costs that the model reads, and the form of a measurement.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Costs of one unit of work. CPU is that of the service's processes. */
export interface ScaleCosts {
  /** Registering a webhook, and delivering one event to it. */
  readonly registrationCpuUs: number;
  readonly deliveryCpuUs: number;
  readonly deliveriesPerSecond: number;
  readonly registrationStoreBytes: number;
  readonly eventStoreBytes: number;
  /** A summary of a wallet that the index knows. */
  readonly readCpuUs: number;
  readonly readCalls: number;
  readonly readUpstreamBytes: number;
  /** A stake that is built, submitted and confirmed. */
  readonly actCpuUs: number;
  readonly actCalls: number;
  readonly actUpstreamBytes: number;
  /** Costs of one process without requests. */
  readonly idleCpuMsPerHour: number;
  readonly idleCallsPerHour: number;
  readonly idleUpstreamBytesPerHour: number;
  /** The index, per stake account. */
  readonly indexBytes: number;
  readonly scanPeakBytes: number;
  readonly scanCpuUs: number;
  readonly scanUpstreamBytes: number;
  readonly delegatorsBoundaryUs: number;
}

/** Result of a measurement: a table, and the unit costs that follow from it. */
export interface Measurement {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly costs?: Partial<ScaleCosts>;
}

const FILE = join(import.meta.dirname, 'costs.json');

export const readCosts = (): Partial<ScaleCosts> =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};

/** Replaces the given costs, rounded to three digits. */
export const writeCosts = (costs: Partial<ScaleCosts>): void => {
  const rounded = Object.entries(costs).map(([name, value]) => [name, Number(value.toPrecision(3))]);
  writeFileSync(FILE, `${JSON.stringify({ ...readCosts(), ...Object.fromEntries(rounded) }, null, 2)}\n`);
};
