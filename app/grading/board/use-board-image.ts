import { useEffect, useRef, useState } from 'react';
import type { RoughGenerator } from 'roughjs/bin/generator';
import { type LoadedImage, loadImage } from './markup-image.ts';

export type BoardImage =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'ready'; image: LoadedImage; generator: RoughGenerator };

/** Loads the image at `url`, and the drawing library when the board first opens. Preloads the image at `next`. */
export function useBoardImage(url: string, next: string | undefined): { shown: BoardImage; retry: () => void } {
  const requests = useRef(new Map<string, Promise<LoadedImage | null>>());
  const [loaded, setLoaded] = useState<{ url: string; result: BoardImage } | null>(null);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is what a retry asks for
  useEffect(() => {
    let stale = false;
    const request = (wanted: string) => {
      const known = requests.current.get(wanted) ?? loadImage(wanted, Date.now());
      requests.current.set(wanted, known);
      return known;
    };
    Promise.all([request(url), loadGenerator()]).then(([image, generator]) => {
      if (!image) requests.current.delete(url);
      if (stale) return;
      const ready = image && generator;
      setLoaded({ url, result: ready ? { status: 'ready', image, generator } : { status: 'failed' } });
      if (ready && next !== undefined) request(next);
    });
    return () => {
      stale = true;
    };
  }, [url, next, attempt]);

  const retry = () => {
    setLoaded(null);
    setAttempt((count) => count + 1);
  };
  return { shown: loaded?.url === url ? loaded.result : { status: 'loading' }, retry };
}

async function loadGenerator(): Promise<RoughGenerator | null> {
  try {
    const { default: rough } = await import('roughjs');
    return rough.generator();
  } catch {
    return null;
  }
}
