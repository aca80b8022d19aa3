declare module 'virtual:islands' {
  interface IslandFiles {
    /** Scripts in the order in which they run. */
    scripts: string[];
    /** Modules that are preloaded together with the scripts. */
    modules: string[];
    styles: string[];
  }
  export const islandFiles: Record<string, IslandFiles>;
}
