// Placeholder for data that could not be read: the reason, and a retry button.
import { Button } from '../ui/controls/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { defineWords } from '../words/define-words.ts';
import { errorsEnglish } from '../words/en/errors.ts';
import { language } from '../words/language.ts';
import { describeError } from './describe-error.ts';
import type { Resource } from './use-resource.ts';

const { say } = defineWords('errors', errorsEnglish);

/**
 * Renders nothing unless `resource` failed before the first successful read. `what` completes "… could not be
 * read".
 */
export const LoadError = ({ resource, what }: { resource: Resource<unknown>; what: string }) => {
  if (resource.error === undefined || resource.data !== undefined) return null;
  const { title, detail } = describeError(resource.error);
  return (
    <Notice
      tone="warn"
      title={say('unreadable', {
        what,
        problem: language === 'en' ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title,
      })}
      actions={
        <Button size="s" icon="refresh" busy={resource.loading} onClick={resource.refresh}>
          {say('tryAgain')}
        </Button>
      }
    >
      {detail}
    </Notice>
  );
};
