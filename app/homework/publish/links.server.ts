/** Links of the publish form, as URL templates that its page passes to the browser. */
import { signIn } from '../../account/screens.ts';
import { linkTo } from '../../lib/address.ts';
import { searchPartOf } from '../../lib/link.ts';
import { pickQuestions, questionDisplay, questionImport } from '../../questions/screens.ts';
import {
  composeByRule,
  homeworkManage,
  type PublishAddress,
  pickCourse,
  pickEarlierHomework,
  publish,
  publishChoices,
  publishDraft,
  publishExchange,
  publishQuestion,
  publishSend,
} from '../screens.ts';
import type { Operation } from './operations.ts';

const screens: Record<string, (place: PublishAddress, key: number | undefined) => string> = {
  course: (place) => pickCourse.href(publish.href(place)),
  bank: (place) => pickQuestions.href(publish.href(place)),
  public: (place) => pickQuestions.href(publish.href(place), { bank: 'public' }),
  rule: (place) => composeByRule.href(publish.href(place)),
  history: (place) => pickEarlierHomework.href(publish.href(place)),
  import: (place) => questionImport.href({ publishing: publish.href(place) }),
  new: (place) => publishQuestion.href(place),
  edit: (place, key) => publishQuestion.href({ ...place, key }),
};

/**
 * Returns the screen that an operation opens, as a function from the form's starting point to an address. Undefined if
 * it opens none.
 */
export function screenOfOperation(operation: Operation): ((place: PublishAddress) => string) | undefined {
  const [name = '', key] = operation;
  const address = Object.hasOwn(screens, name) ? screens[name] : undefined;
  return address && ((place) => address(place, key ? Number(key) : undefined));
}

/** Address to return to: the lesson, class or filtered list from which publishing was started. */
export const returnAddressOf = ({ back }: PublishAddress): string => back ?? homeworkManage.href({ tab: 'main' });

export type PublishLinks = ReturnType<typeof linksOf>;

/** Links of a form that was started from `place`. */
export const linksOf = (place: PublishAddress) => ({
  form: publish.href(place),
  /** Starting point of the form as search params, without the address to return to. */
  way: searchPartOf(publish.href({ ...place, back: undefined, draft: undefined })),
  send: publishSend.href(place),
  keep: publishDraft.href(place),
  choices: linkTo(publishChoices),
  /** Address that finds a question to exchange for one of the form. */
  exchange: publishExchange.href(),
  arrange_id: place.arrange_id,
  signIn: signIn.href({ redirectTo: publish.href(place) }),
  /** Address that renders a question's HTML with its formulas. */
  display: questionDisplay.href(),
  back: returnAddressOf(place),
});
