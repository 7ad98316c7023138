// Ways to stay informed: changes of control and of the validator, a calendar subscription, and browser notifications.
import { Button, ButtonLink } from '../../../ui/controls/button.tsx';
import { defineWords } from '../../../words/define-words.ts';
import { portfolioAlertsEnglish } from '../../../words/en/portfolio/alerts.ts';
import styles from './alerts-panel.module.css';
import { ControlChanges } from './control-changes.tsx';
import type { NotificationState, useNotifications } from './use-notifications.ts';
import { ValidatorChanges } from './validator-changes.tsx';

const { say } = defineWords('portfolioAlerts', portfolioAlertsEnglish);

const STATES = {
  on: 'notificationsOn',
  off: 'notificationsOff',
  denied: 'notificationsDenied',
  unsupported: 'notificationsUnsupported',
} as const satisfies Record<NotificationState, keyof typeof portfolioAlertsEnglish>;

/**
 * Shown for any wallet, because the information is public. `notifications` stay on while the panel is hidden.
 */
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
          <h3 id="calendar-title">{say('calendar')}</h3>
          <p>{say('calendarText')}</p>
          <div className={styles.actions}>
            <ButtonLink size="s" icon="clock" href={`webcal://${window.location.host}${path}`}>
              {say('subscribe')}
            </ButtonLink>
            <ButtonLink size="s" icon="download" href={path} download="">
              {say('downloadCalendar')}
            </ButtonLink>
          </div>
        </section>
        <section aria-labelledby="notifications-title" data-notifications={state}>
          <h3 id="notifications-title">{say('notifications')}</h3>
          <p role="status">{say(STATES[state])}</p>
          {(state === 'on' || state === 'off') && (
            <div className={styles.actions}>
              <Button size="s" onClick={() => void set(state === 'off')}>
                {say(state === 'off' ? 'notify' : 'stopNotifying')}
              </Button>
            </div>
          )}
        </section>
      </div>
      {hasStake && (
        <>
          <ControlChanges walletAddress={walletAddress} />
          <ValidatorChanges />
        </>
      )}
    </div>
  );
};
