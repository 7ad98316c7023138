// Lists the views: path, name, icon and module. The first view is loaded with the page, the others on demand.
import { type ComponentType, lazy } from 'react';
import type { IconName } from '../ui/icon.tsx';
import { StakeView } from '../views/stake/stake-view.tsx';

/** A view. To add one, add it here and in `scripts/page/view-documents.ts`. */
interface View {
  readonly path: string;
  /** Name in the catalog. */
  readonly name: 'stake' | 'portfolio' | 'validator' | 'developers' | 'sign';
  readonly icon: IconName;
  readonly component: ComponentType;
  /** Default: true. */
  readonly inMenu?: boolean;
}

const later = <Module>(load: () => Promise<Module>, pick: (module: Module) => ComponentType): ComponentType =>
  lazy(async () => ({ default: pick(await load()) }));

/** Views in the order of the menu. */
export const views: readonly View[] = [
  { path: '/', name: 'stake', icon: 'stake', component: StakeView },
  {
    path: '/portfolio',
    name: 'portfolio',
    icon: 'portfolio',
    component: later(
      () => import('../views/portfolio/portfolio-view.tsx'),
      (module) => module.PortfolioView,
    ),
  },
  {
    path: '/validator',
    name: 'validator',
    icon: 'validator',
    component: later(
      () => import('../views/validator/validator-view.tsx'),
      (module) => module.ValidatorView,
    ),
  },
  {
    path: '/developers',
    name: 'developers',
    icon: 'developers',
    component: later(
      () => import('../views/developers/developers-view.tsx'),
      (module) => module.DevelopersView,
    ),
  },
  {
    path: '/sign',
    name: 'sign',
    icon: 'key',
    inMenu: false,
    component: later(
      () => import('../views/sign/sign-view.tsx'),
      (module) => module.SignView,
    ),
  },
];
