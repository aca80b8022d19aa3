import { missingSheet } from '#server/exams/rules.ts';
import { GradingFilter } from '#server/grading-desk/list.contract.ts';
import { missingHomework } from '#server/homework/rules.ts';
import { SearchIds } from '#server/platform/calls/fields.ts';
import { signIn } from '../account/screens.ts';
import { examDetail, examSheet } from '../exams/screens.ts';
import { fileUpload } from '../files/screens.ts';
import { homeworkManage } from '../homework/screens.ts';
import { type AddressOf, type LinkTarget, linkOver, linkTo } from '../lib/address.ts';
import { dialog } from '../lib/dialog.ts';
import { listScreen } from '../lib/list-view.ts';
import { screen, screenGroup } from '../lib/screen.ts';
import {
  CarriedText,
  OptionalId,
  oneOf,
  optionalOneOf,
  ReturnAddress,
  ScreenId,
  ScreenIdOrAll,
} from '../lib/search.ts';
import { supportedBrowsers } from '../shell/screens.ts';

/** List with one row per report, or per homework. */
export const gradingList = listScreen(
  homeworkManage,
  GradingFilter,
  { tab: 'approve' },
  { further: { view: oneOf(['rows', 'groups'], 'rows') } },
);

// ---- the grading desk of homework and exams ---------------------------------------------------

/** Address of an answer on the desk, including the grading mode and the skipped reports. */
export interface DeskAddress {
  report_id: number;
  /** Class of the report. 0 for all classes; exams have none. */
  class_id?: number | undefined;
  /** 1: subjective questions. 2: objective questions. */
  type: 1 | 2;
  ques_id?: number | undefined;
  /** Set when one question is graded over all students. */
  by?: 'question' | undefined;
  /** Set when grading by question goes through the students in random order. */
  order?: 'shuffled' | undefined;
  /** Ids of skipped reports, in the order of skipping. */
  skip: readonly number[];
  /** Id of the equal answers that were just graded together. The desk offers to undo them. */
  batch?: number | undefined;
  /** Address on this site where grading was started and to which it returns. */
  back?: string | undefined;
}

/** Query parameters of `DeskAddress` that homework and exams share. */
const deskParams = {
  type: oneOf([1, 2], 1),
  ques_id: OptionalId,
  by: optionalOneOf(['question']),
  order: optionalOneOf(['shuffled']),
  skip: SearchIds,
  batch: OptionalId,
  back: ReturnAddress,
  typed_score: CarriedText,
  typed_comment: CarriedText,
};
const ofHomework = { report_id: ScreenId, class_id: ScreenIdOrAll, ...deskParams };
const ofExam = { report_id: ScreenId, ...deskParams };

export const homeworkApprove = screen('HomeworkApprove', '/homework/approve', 'approve', ofHomework, {
  missing: missingHomework,
  files: true,
});
export const homeworkApproveData = screen('correction/report', '/homework/approve/report', 'report.ts', ofHomework, {
  missing: missingHomework,
});
export const homeworkApproveSave = screen('correction/save', '/homework/approve/save', 'save.ts');
export const homeworkApproveImage = screen(
  'correction/image',
  '/homework/approve/image',
  'image.ts',
  {},
  { files: true },
);

export const examApprove = screen('ExamPaperApprove', '/exams/approve', 'approve', ofExam, {
  missing: missingSheet,
  files: true,
});
export const examApproveData = screen('correction/exam-report', '/exams/approve/report', 'report.ts', ofExam, {
  missing: missingSheet,
});
export const examGradingSave = screen('correction/exam-save', '/exams/approve/save', 'save.ts');
export const examApproveImage = screen('exam-approve-image', '/exams/approve/image', 'image.ts', {}, { files: true });

export const homeworkSheet = screen(
  'HomeworkApproveView',
  '/homework/approve/view',
  'approve-view',
  { report_id: ScreenId, class_id: ScreenIdOrAll },
  { missing: missingHomework },
);

const eitherDesk = screenGroup(homeworkApprove, examApprove);
export const finish = dialog(eitherDesk, 'finish', 'finish');
export const finishAll = dialog(eitherDesk, 'finish-all', 'finish-all');
export const pinnedComments = dialog(eitherDesk, 'comments', 'pinned-comments');
export const equalAnswers = dialog(eitherDesk, 'same', 'equal-answers');

/** Unsaved input of the desk. Without client JS, it is carried into a dialog route and back. */
export interface TypedMark {
  typed_score?: string | undefined;
  typed_comment?: string | undefined;
}

export function typedMarkOf(url: URL): Required<TypedMark> {
  const { typed_score = '', typed_comment = '' } = eitherDesk.at(url);
  return { typed_score, typed_comment };
}

interface DeskPlace<Href extends string> extends LinkTarget {
  href(address: Partial<DeskAddress & TypedMark> & Pick<DeskAddress, 'report_id'>): Href;
  at(url: URL): DeskAddress;
}

/** Drops unsaved input when an address is read, so that later addresses do not carry it: it belongs to one answer. */
const withoutTypedText = <Href extends string>(place: DeskPlace<Href>): DeskPlace<Href> => ({
  ...place,
  at(url) {
    const { typed_score: _score, typed_comment: _comment, ...address }: DeskAddress & TypedMark = place.at(url);
    return address;
  },
});

export interface DeskScreens {
  /** Prefix of the keys under which the browser stores drafts. */
  draftPrefix: string;
  desk: DeskPlace<AddressOf<typeof eitherDesk>>;
  data: DeskPlace<string>;
  save: LinkTarget;
  image: LinkTarget;
  /** Page where grading ends, unless the address says otherwise (`back`). */
  list: (assignmentId: number) => string;
  /** The read-only report. */
  sheet: LinkTarget;
}

export const homeworkDesk: DeskScreens = {
  draftPrefix: 'grading',
  desk: withoutTypedText(homeworkApprove),
  data: homeworkApproveData,
  save: homeworkApproveSave,
  image: homeworkApproveImage,
  list: () => gradingList.href(),
  sheet: homeworkSheet,
};

export const examDesk: DeskScreens = {
  draftPrefix: 'exam-grading',
  desk: withoutTypedText(examApprove),
  data: examApproveData,
  save: examGradingSave,
  image: examApproveImage,
  list: (id) => examDetail.href({ id }),
  sheet: examSheet,
};

/** URL templates for the desk in the browser (grading/links.ts). */
export const linksOf = ({ draftPrefix, desk, data, save, image, sheet, list }: DeskScreens, assignmentId: number) => ({
  draftPrefix,
  desk: linkTo(desk),
  data: linkTo(data),
  save: linkTo(save),
  image: linkTo(image),
  sameMark: linkOver(desk, equalAnswers),
  comments: linkOver(desk, pinnedComments),
  finishAll: linkOver(desk, finishAll),
  view: linkTo(sheet),
  list: list(assignmentId),
  signIn: linkTo(signIn),
  upload: linkTo(fileUpload),
  browsers: linkTo(supportedBrowsers),
});

/** Returns the screens of homework or of exams, by the path. */
export const deskOf = ({ pathname }: { pathname: string }): DeskScreens =>
  examApprove.covers(pathname) ? examDesk : homeworkDesk;

interface Entry {
  report_id: number;
  class_id?: number | undefined;
  /** Id of the exam to return to. Homework has none: all homework returns to one list. */
  assignment_id?: number;
  /** Address to which grading returns. */
  back: string;
}

/** Link that starts grading. Leaves `back` out if it is the default list. */
export function gradingHref({ desk, list }: DeskScreens, { assignment_id = 0, back, ...report }: Entry): string {
  return desk.href({ ...report, type: 1, skip: [], back: back === list(assignment_id) ? undefined : back });
}

export const gradingEndHref = ({ list }: DeskScreens, { back }: DeskAddress, assignmentId = 0): string =>
  back ?? list(assignmentId);

// ---- read-only reports -------------------------------------------------------------------------

export const homeworkStudent = screen(
  'HomeworkStudent',
  '/homework/student',
  'student-report',
  { report_id: ScreenId, class_id: OptionalId },
  { missing: missingHomework },
);

/** Element id of a question in an answer sheet. */
export const questionAnchor = (id: number): string => `q${id}`;
