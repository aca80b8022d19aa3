/** Offers to restore an unpublished draft that this browser has stored. */
import { Button } from '@mantine/core';
import { draftTime } from '../../ui/client/drafts/keep-form.ts';
import { DraftOffer } from '../../ui/draft-offer.tsx';
import type { LocalDraft } from './use-local-draft.ts';

export function LocalDraftOffer({ offered, restore, discard }: Pick<LocalDraft, 'offered' | 'restore' | 'discard'>) {
  if (!offered) return null;
  const { name, questions } = offered.form;
  return (
    <DraftOffer label="作业草稿">
      <p>
        有一份作业草稿（{draftTime(offered.savedAt)}，{name ? `“${name}”，` : ''}
        {questions.length} 题）。
      </p>
      <Button type="button" onClick={restore}>
        恢复草稿
      </Button>
      <Button type="button" variant="default" onClick={discard}>
        放弃草稿
      </Button>
    </DraftOffer>
  );
}
