// Lists every alert with its audience and its threshold, from the tables that produce the alerts. Pure.
import { type AlertLevel, type AlertRow, alertTable } from './alert-table.ts';
import { serviceAlarms, serviceAlarmTable } from './service-alarm-table.ts';

/** An alert as described to the operator. */
export interface AlertKind {
  /** Name of the alert; for stakers, the type of the event. */
  readonly alert: string;
  /** `operator`: the operator's destinations. `stakers`: webhooks of every wallet. `wallet`: webhooks of the wallet. */
  readonly audience: 'operator' | 'stakers' | 'wallet';
  /** Null if it depends on the change. */
  readonly level: AlertLevel | null;
  readonly when: string;
  /** Name of the setting that changes the threshold; null if it is fixed. */
  readonly setting: string | null;
}

const kindsOf = (name: string, row: AlertRow<never>): readonly AlertKind[] => {
  const { when, setting = null } = row;
  return [
    ...(row.operator === undefined
      ? []
      : [
          {
            alert: row.operator.alert,
            audience: 'operator',
            level: row.operator.level,
            when,
            setting,
          } as const,
        ]),
    ...(row.everybody === undefined
      ? []
      : [{ alert: `validator_changed (${name})`, audience: 'stakers', level: null, when, setting } as const]),
    ...(row.wallet === undefined
      ? []
      : [{ alert: name, audience: 'wallet', level: null, when, setting } as const]),
  ];
};

const AUDIENCES = ['operator', 'stakers', 'wallet'] as const;

/** Every alert, those for the operator first. */
export const alertCatalog: readonly AlertKind[] = [
  ...serviceAlarms.flatMap((alarm): readonly AlertKind[] => {
    const { level, ends, when, endsWhen } = serviceAlarmTable[alarm];
    const shared = { audience: 'operator', setting: null } as const;
    return [
      { ...shared, alert: alarm, level, when },
      { ...shared, alert: ends, level: 'info', when: endsWhen },
    ];
  }),
  ...Object.entries(alertTable).flatMap(([name, row]) => kindsOf(name, row as AlertRow<never>)),
].sort((one, other) => AUDIENCES.indexOf(one.audience) - AUDIENCES.indexOf(other.audience));
