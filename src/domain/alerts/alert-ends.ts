// Names the alert that reports the end of another. Pure.
import { serviceAlarms, serviceAlarmTable } from './service-alarm-table.ts';

/** Maps an alert that reports the beginning of a problem to the one that reports its end. */
export const alertEnds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(serviceAlarms.map((alarm) => [alarm, serviceAlarmTable[alarm].ends])),
  validator_delinquent: 'validator_recovered',
  admission_at_risk: 'admission_safe',
  index_stale: 'index_current',
};
