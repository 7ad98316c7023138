// Starts the operator console in the browser.
import '../../../src/http/pages/tokens.css';
import '../ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { restoreTheme } from '../state/theme.ts';
import { Console } from './console.tsx';

restoreTheme();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Console />
  </StrictMode>,
);
