// Maps the alert that reports the beginning of a problem to the alert that reports its end. Pure.
import { serviceAlarms, serviceAlarmTable } from './service-alarm-table.ts';

export const alertEnds: Readonly<Record<string, string>> = {
  ...Object.fromEntries(serviceAlarms.map((alarm) => [alarm, serviceAlarmTable[alarm].ends])),
  validator_delinquent: 'validator_recovered',
  admission_at_risk: 'admission_safe',
  index_stale: 'index_current',
};
