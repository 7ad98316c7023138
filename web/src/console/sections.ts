// Lists the sections of the console: path, name, icon and module.
import type { ComponentType } from 'react';
import type { IconName } from '../ui/icon.tsx';
import { AlertsSection } from './alerts/alerts-section.tsx';
import { DeliveriesSection } from './deliveries/deliveries-section.tsx';
import { HealthSection } from './health/health-section.tsx';
import { OverviewSection } from './overview/overview-section.tsx';
import { StakersSection } from './stakers/stakers-section.tsx';

/** A section. To add one, add it here and in `scripts/page/view-documents.ts`. */
interface Section {
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
  readonly component: ComponentType;
}

/** Sections in the order of the menu. */
export const sections: readonly Section[] = [
  { path: '/', name: 'Overview', icon: 'portfolio', component: OverviewSection },
  { path: '/stakers', name: 'Stakers', icon: 'wallet', component: StakersSection },
  { path: '/alerts', name: 'Alerts', icon: 'warning', component: AlertsSection },
  { path: '/deliveries', name: 'Deliveries', icon: 'arrow', component: DeliveriesSection },
  { path: '/health', name: 'Health', icon: 'shield', component: HealthSection },
];
