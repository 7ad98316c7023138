// Starts the page in the browser.
import '../../src/http/pages/tokens.css';
import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { restoreTheme } from './state/theme.ts';
import { copyExactAmounts } from './text/copy-exact.ts';
import { addTranslations } from './words/define-words.ts';
import { language } from './words/language.ts';

restoreTheme();
copyExactAmounts();
const start = (): void =>
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );

if (language === 'en') start();
else
  void import('./words/de/german.ts')
    .then(({ german, germanCountries }) => addTranslations(german, germanCountries))
    // Starts in English if the translation cannot be loaded.
    .finally(start);
