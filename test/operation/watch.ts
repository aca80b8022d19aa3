/** Every request's outcome, from which a table row is counted. */
import type { Sent } from '../learners/line.ts';

/** A page or a form of somebody who sits before a browser, where nothing is sent again behind their back. */
export interface Met extends Sent {
  /** The text of a form that was not answered as taken is still on the page. */
  isKept?: boolean;
}

export class Watch {
  /** Requests of programs, which retry until answered. */
  readonly calls: Sent[] = [];
  readonly pages: Met[] = [];

  /** The server is away, or says that it is busy, or nobody has answered. */
  static failed = ({ status }: Pick<Sent, 'status'>): boolean =>
    status === undefined || status >= 500 || status === 429;

  get requests(): number {
    return this.calls.length + this.pages.length;
  }

  /** Sendings that had to be made once more by a program, unseen by whoever sits before it. */
  get again(): number {
    return this.calls.filter(Watch.failed).length;
  }

  /** Pages of an error that somebody has looked at. */
  get errors(): Met[] {
    return this.pages.filter(Watch.failed);
  }

  /** Forms whose text was gone. */
  get lostForms(): number {
    return this.errors.filter(({ isKept }) => isKept === false).length;
  }

  /** Milliseconds from a moment to the end of the last sending that failed; 0 where none did from then on. */
  recoveredAfter(moment: number): number {
    const failed = [...this.calls, ...this.pages].filter((sent) => Watch.failed(sent) && sent.ended > moment);
    return Math.max(0, ...failed.map(({ ended }) => ended - moment));
  }

  /** Milliseconds that whoever waited longest did so. */
  get longest(): number {
    return Math.max(0, ...[...this.calls, ...this.pages].map(({ began, ended }) => ended - began));
  }

  /** Error messages with their counts. */
  said(): [string, number][] {
    const counted = new Map<string, number>();
    for (const { status, msg, call } of [...this.calls, ...this.pages].filter(Watch.failed)) {
      const line = status === undefined ? `no answer (${msg || call})` : `${status} ${msg}`;
      counted.set(line, (counted.get(line) ?? 0) + 1);
    }
    return [...counted].sort(([, one], [, other]) => other - one);
  }
}
