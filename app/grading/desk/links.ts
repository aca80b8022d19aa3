import { hrefOf, type Link } from '../../lib/link.ts';
import type { DeskAddress } from '../screens.ts';
import type { Draft } from './draft-storage.ts';

/** URL templates of the desk, sent to the browser as JSON. */
export interface DeskLinks {
  /** Prefix of the keys under which this browser stores drafts. */
  draftPrefix: string;
  desk: Link;
  data: Link;
  save: Link;
  image: Link;
  sameMark: Link;
  comments: Link;
  finishAll: Link;
  /** The read-only report. */
  view: Link;
  /** Page where grading ends, unless the address says otherwise (`back`). */
  list: string;
  signIn: Link;
  upload: Link;
  browsers: Link;
}

type Href = (address: Partial<DeskAddress> & Pick<DeskAddress, 'report_id'>) => string;

/** Functions that fill in the templates of `DeskLinks`; templates without parameters are plain addresses. */
export interface DeskAddresses {
  /** Prefix of draft keys, as in `DeskLinks`; not an address. */
  draftPrefix: string;
  desk: Href;
  data: Href;
  save: string;
  image: string;
  sameMark: (address: DeskAddress, typed: Pick<Draft, 'user_score' | 'review_comment'>) => string;
  comments: Href;
  finishAll: Href;
  view: (reportId: number, classId: number | undefined) => string;
  endOfPass: (address: DeskAddress) => string;
  /** Address of the sign-in page, which returns to `redirectTo`. */
  signIn: (redirectTo: string) => string;
  upload: string;
  browsers: string;
}

export function deskAddressesOf(links: DeskLinks): DeskAddresses {
  const to =
    (link: Link): Href =>
    (address) =>
      hrefOf(link, { ...address });
  return {
    draftPrefix: links.draftPrefix,
    desk: to(links.desk),
    data: to(links.data),
    save: hrefOf(links.save),
    image: hrefOf(links.image),
    sameMark: (address, { user_score, review_comment }) =>
      hrefOf(links.sameMark, { ...address, typed_score: user_score, typed_comment: review_comment }),
    comments: to(links.comments),
    finishAll: to(links.finishAll),
    view: (report_id, class_id = 0) => hrefOf(links.view, { report_id, class_id }),
    endOfPass: ({ back }) => back ?? links.list,
    signIn: (redirectTo) => hrefOf(links.signIn, { redirectTo }),
    upload: hrefOf(links.upload),
    browsers: hrefOf(links.browsers),
  };
}
