// German texts for what the service sends in English: titles and texts of errors, by error code and reason.
// An id without a reason is for all reasons without a text of their own.

export const serviceTitlesGerman = {
  INTERNAL: 'Fehler im Dienst',
};

export const serviceErrorsGerman = {
  INTERNAL: 'Das ist ein Fehler des Dienstes. Versuchen Sie es später erneut.',
};
