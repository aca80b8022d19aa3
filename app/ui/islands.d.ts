declare module 'virtual:islands' {
  interface IslandFiles {
    /** Executed in this order. */
    scripts: string[];
    /** Preloaded with the scripts. */
    modules: string[];
    styles: string[];
  }
  export const islandFiles: Record<string, IslandFiles>;
}
