// Tabs with standard keyboard control: arrows move, Home and End jump, one tab stop.
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';
import { classNames } from '../class-names.ts';
import styles from './tabs.module.css';

/** One tab or choice. */
interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
}

/** Properties of both variants. `label` names the group for screen readers. */
interface TabsProps<Value extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** True reduces the padding. */
  readonly compact?: boolean;
}

/** Renders tabs with the panel of the selected one. */
export const Tabs = <Value extends string>({
  label,
  tabs,
  value,
  onChange,
  compact = false,
  children,
}: TabsProps<Value> & { children: ReactNode }) => {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex((tab) => tab.value === value);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    onChange(tabs[index]!.value);
    list.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        className={classNames(styles.list, compact && styles.compact)}
      >
        {tabs.map((tab) => {
          const chosen = tab.value === value;
          return (
            <button
              key={tab.value}
              type="button"
              id={`${id}-${tab.value}`}
              role="tab"
              aria-selected={chosen}
              aria-controls={`${id}-panel`}
              tabIndex={chosen ? 0 : -1}
              className={classNames(styles.tab, chosen && styles.chosen)}
              onClick={() => onChange(tab.value)}
              onKeyDown={move}
            >
              {tab.label}
            </button>
          );
        })}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  );
};

/** Renders radio buttons styled as tabs, without panels. */
export const TabStyledChoice = <Value extends string>({
  label,
  tabs,
  value,
  onChange,
  compact = false,
}: TabsProps<Value>) => {
  const name = useId();
  return (
    <fieldset className={classNames(styles.list, compact && styles.compact)}>
      <legend className="visually-hidden">{label}</legend>
      {tabs.map((tab) => (
        <label key={tab.value} className={classNames(styles.tab, tab.value === value && styles.chosen)}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={tab.value}
            checked={tab.value === value}
            onChange={() => onChange(tab.value)}
          />
          {tab.label}
        </label>
      ))}
    </fieldset>
  );
};
