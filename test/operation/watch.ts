/** Outcomes of all requests, counted for the rows of the table. */
import type { Sent } from '../learners/line.ts';

/** A request by a person in a browser, which is not retried automatically. */
export interface Met extends Sent {
  /** True if the page still shows the text of a form that was not accepted. */
  isKept?: boolean;
}

export class Watch {
  /** Requests of programs, which retry until answered. */
  readonly calls: Sent[] = [];
  readonly pages: Met[] = [];

  /** True if the server was unavailable or busy, or did not answer. */
  static failed = ({ status }: Pick<Sent, 'status'>): boolean =>
    status === undefined || status >= 500 || status === 429;

  get requests(): number {
    return this.calls.length + this.pages.length;
  }

  /** Number of automatic retries by programs. */
  get again(): number {
    return this.calls.filter(Watch.failed).length;
  }

  /** Error pages that a person saw. */
  get errors(): Met[] {
    return this.pages.filter(Watch.failed);
  }

  /** Number of forms whose typed text was lost. */
  get lostForms(): number {
    return this.errors.filter(({ isKept }) => isKept === false).length;
  }

  /** Milliseconds from a moment to the end of the last failed request. 0 if none failed since then. */
  recoveredAfter(moment: number): number {
    const failed = [...this.calls, ...this.pages].filter((sent) => Watch.failed(sent) && sent.ended > moment);
    return Math.max(0, ...failed.map(({ ended }) => ended - moment));
  }

  /** Longest wait of a person, in milliseconds. */
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
