// Ways to stay informed: changes of control, a calendar subscription, and browser notifications.
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import styles from './alerts-panel.module.css';
import { ControlChanges } from './control-changes.tsx';
import type { Notifying, useNotifications } from './use-notifications.ts';

const WORDS: Readonly<Record<Notifying, string>> = {
  on: 'This browser notifies you while the portfolio is open in a tab, even in the background.',
  off: 'Get notified by this browser, while the portfolio is open in a tab, when the control of these stakes changes, or the validator stops voting, misses an epoch or changes its commission.',
  denied:
    'This browser blocks notifications from this site. You can allow them in its settings for this site.',
  unsupported:
    'This browser shows no notifications here. Use a webhook or “holdfast alerts --watch” instead.',
};

/** For any wallet, because the information is public. `notifications` continue while this is hidden. */
export const AlertsPanel = ({
  walletAddress,
  notifications: { state, set },
  hasStake,
}: {
  walletAddress: string;
  notifications: ReturnType<typeof useNotifications>;
  hasStake: boolean;
}) => {
  const path = `/calendar/${walletAddress}.ics`;
  return (
    <div className={styles.content}>
      <div className={styles.ways}>
        <section aria-labelledby="calendar-title">
          <h3 id="calendar-title">Calendar</h3>
          <p>
            When each stake becomes active, until when an unstake can be undone, and when it can be withdrawn.
            A subscription keeps itself up to date.
          </p>
          <div className={styles.actions}>
            <ButtonLink size="s" icon="clock" href={`webcal://${window.location.host}${path}`}>
              Subscribe
            </ButtonLink>
            <ButtonLink size="s" icon="down" href={path} download="">
              Download .ics
            </ButtonLink>
          </div>
        </section>
        <section aria-labelledby="notifications-title" data-notifications={state}>
          <h3 id="notifications-title">Notifications</h3>
          <p role="status">{WORDS[state]}</p>
          {(state === 'on' || state === 'off') && (
            <div className={styles.actions}>
              <Button size="s" onClick={() => void set(state === 'off')}>
                {state === 'off' ? 'Notify me' : 'Stop notifying me'}
              </Button>
            </div>
          )}
        </section>
      </div>
      {hasStake && <ControlChanges walletAddress={walletAddress} />}
    </div>
  );
};
