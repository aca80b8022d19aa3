/** Where the form leads to. In the browser it writes its addresses from the links that its page gives it. */
import { signIn } from '../../account/screens.ts';
import { linkTo } from '../../lib/address.ts';
import { searchIn } from '../../lib/link.ts';
import { pickQuestions, questionDisplay, questionImport } from '../../questions/screens.ts';
import {
  homeworkManage,
  type PublishPlace,
  pickCourse,
  pickHistory,
  publish,
  publishChoices,
  publishKeep,
  publishQuestion,
  publishSend,
} from '../screens.ts';
import type { Operation } from './operations.ts';

const screens: Record<string, (place: PublishPlace, key: number | undefined) => string> = {
  course: (place) => pickCourse.href(publish.href(place)),
  bank: (place) => pickQuestions.href(publish.href(place)),
  public: (place) => pickQuestions.href(publish.href(place), { bank: 'public' }),
  history: (place) => pickHistory.href(publish.href(place)),
  import: (place) => questionImport.href({ publishing: publish.href(place) }),
  new: (place) => publishQuestion.href(place),
  edit: (place, key) => publishQuestion.href({ ...place, key }),
};

/** The screen that an operation leads to: its address for a form that starts from a place. */
export function screenOf(operation: Operation): ((place: PublishPlace) => string) | undefined {
  const [name = '', key] = operation;
  const address = Object.hasOwn(screens, name) ? screens[name] : undefined;
  return address && ((place) => address(place, key ? Number(key) : undefined));
}

/** Where the form was entered from: the lesson, the class, the list with its filters. */
export const backFrom = ({ back }: PublishPlace): string => back ?? homeworkManage.href({ tab: 'main' });

export type PublishLinks = ReturnType<typeof linksOf>;

/** Of a form that starts from a place. */
export const linksOf = (place: PublishPlace) => ({
  form: publish.href(place),
  /** What the form starts with, wherever it leads back to, as search params. */
  way: searchIn(publish.href({ ...place, back: undefined, draft: undefined })),
  send: publishSend.href(place),
  keep: publishKeep.href(place),
  choices: linkTo(publishChoices),
  arrange_id: place.arrange_id,
  signIn: signIn.href({ redirectTo: publish.href(place) }),
  /** How texts with formulas look. */
  display: questionDisplay.href(),
  back: backFrom(place),
});
