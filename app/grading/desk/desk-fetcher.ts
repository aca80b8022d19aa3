import type { DeskAddress } from '../screens.ts';
import type { Desk } from './desk.ts';
import type { SaveReply } from './save-queue.ts';

interface Prefetch {
  /** Start of the request, in milliseconds since 1970. */
  at: number;
  reply: Promise<SaveReply>;
  /** The desk, once the response has arrived. */
  desk: Desk | undefined;
}

/** Milliseconds for which a prefetched desk is used. */
const prefetchLifetime = 120_000;

export class DeskFetcher {
  private readonly prefetched = new Map<string, Prefetch>();
  private readonly load: (address: DeskAddress) => Promise<SaveReply>;
  private readonly arrived: (desk: Desk) => void;

  constructor(load: (address: DeskAddress) => Promise<SaveReply>, arrived: (desk: Desk) => void) {
    this.load = async (address) => {
      const askedAt = Date.now();
      const reply = await load(address);
      return reply.status === 200 ? { ...reply, data: { ...(reply.data as Desk), askedAt } } : reply;
    };
    this.arrived = arrived;
  }

  /** Prefetches the desk at an address, unless a fresh prefetch exists. */
  prefetch(address: DeskAddress): void {
    const name = nameOf(address);
    if (this.fresh(name)) return;
    const prefetch: Prefetch = { at: Date.now(), reply: this.load(address), desk: undefined };
    this.prefetched.set(name, prefetch);
    prefetch.reply.then(
      (reply) => {
        if (reply.status === 200) {
          prefetch.desk = reply.data as Desk;
          this.arrived(prefetch.desk);
        } else this.prefetched.delete(name);
      },
      () => this.prefetched.delete(name),
    );
  }

  /** Returns the prefetched desk if it has already arrived. */
  ready(address: DeskAddress): Desk | undefined {
    return this.fresh(nameOf(address))?.desk;
  }

  /** Uses the prefetch if there is one. Rejects when the network is down. */
  fetch(address: DeskAddress): Promise<SaveReply> {
    return this.fresh(nameOf(address))?.reply ?? this.load(address);
  }

  /** Empties the prefetch cache, because it may be out of date. */
  forget(): void {
    this.prefetched.clear();
  }

  private fresh(name: string): Prefetch | undefined {
    const prefetch = this.prefetched.get(name);
    return prefetch && Date.now() - prefetch.at < prefetchLifetime ? prefetch : undefined;
  }
}

/** Cache key of an address. Leaves out the skipped reports: they affect only which report comes next. */
const nameOf = (address: DeskAddress): string => JSON.stringify({ ...address, skip: [] });
