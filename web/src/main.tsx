// Starts the page in the browser.
import './ui/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { restoreTheme } from './state/theme.ts';
import { copyExactAmounts } from './text/copy-exact.ts';

restoreTheme();
copyExactAmounts();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
