declare module 'virtual:islands' {
  interface IslandFiles {
    script: string;
    /** Fetched along with the script. */
    modules: string[];
    styles: string[];
  }
  export const islandFiles: Record<string, IslandFiles>;
}
