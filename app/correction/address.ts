/** The address of the grading screen: which answer lies on the desk, and how the grader goes through the pile. */

export interface DeskAddress {
  report_id: number;
  /** 0 for all classes; exams have none. */
  class_id?: number | undefined;
  /** 1 subjective, 2 objective (document 1, section 2). */
  type: 1 | 2;
  ques_id?: number | undefined;
  /** One question over all students. */
  by?: 'question' | undefined;
  order?: 'shuffled' | undefined;
  /** Reports that were skipped in this pass, in their order. */
  skip: readonly number[];
  /** Equal answers that were just graded together and can be taken back. */
  batch?: number | undefined;
}

/** An address holds so many skipped reports; of a longer pass the first are offered again. */
const skipsKept = 400;

const idOf = (text: string | null): number => (/^\d{1,10}$/.test(text ?? '') ? Number(text) : 0);

export function readAddress(params: URLSearchParams): DeskAddress {
  return {
    report_id: idOf(params.get('report_id')),
    class_id: idOf(params.get('class_id')),
    type: params.get('type') === '2' ? 2 : 1,
    ques_id: idOf(params.get('ques_id')) || undefined,
    by: params.get('by') === 'question' ? 'question' : undefined,
    order: params.get('order') === 'shuffled' ? 'shuffled' : undefined,
    skip: (params.get('skip') ?? '').split(',').flatMap((id) => idOf(id) || []),
    batch: idOf(params.get('batch')) || undefined,
  };
}

/** As search params; what is usual is left out, the class of homework is always named. */
export function addressSearch({ report_id, class_id, type, ques_id, by, order, skip, batch }: DeskAddress): string {
  const params = new URLSearchParams({ report_id: String(report_id) });
  if (class_id !== undefined) params.set('class_id', String(class_id));
  if (type === 2) params.set('type', '2');
  if (ques_id) params.set('ques_id', String(ques_id));
  if (by) params.set('by', by);
  if (by && order) params.set('order', order);
  if (skip.length > 0) params.set('skip', skip.slice(-skipsKept).join(','));
  if (batch) params.set('batch', String(batch));
  return `?${params.toString().replaceAll('%2C', ',')}`;
}

/** Another report of the same pass. In the way by student it begins with its first waiting answer. */
export function addressOfReport(address: DeskAddress, reportId: number): DeskAddress {
  const ques_id = address.by === 'question' ? address.ques_id : undefined;
  return { ...address, report_id: reportId, type: 1, ques_id, batch: undefined };
}

/** The same pass without this report. */
export const addressSkipping = (address: DeskAddress): DeskAddress => ({
  ...address,
  skip: [...address.skip.filter((id) => id !== address.report_id), address.report_id],
});
