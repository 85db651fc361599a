// The switches of the fast paths. Each fast path has its own folder, and a plain implementation with the same
// behaviour. docs/performance.md says what each fast path saves. See docs/decisions/0180-fast-paths-behind-seams.md.

export type FastPaths = {
  /** src/platform/http/server/raw/: complete requests are read without Node's HTTP server. */
  readonly rawServer: boolean
  /** src/platform/postgres/pipeline/: a transaction is one packet, and lists are binary arrays. */
  readonly pipeline: boolean
}

export function allFastPaths(isOn: boolean): FastPaths {
  return { rawServer: isOn, pipeline: isOn }
}
