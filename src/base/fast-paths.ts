// The fast paths of the gateway. Each is in its own folder, behind the interface of a plain implementation that does the
// same. docs/performance.md says what each saves.

export type FastPaths = {
  /** src/http/server/raw/: whole requests are read without Node's HTTP server. */
  readonly rawServer: boolean
  /** src/http/client/raw/: notifications are posted without Node's HTTP client. */
  readonly rawClient: boolean
  /** src/postgres/pipeline/: a transaction is one packet, and lists are binary arrays. */
  readonly pipeline: boolean
}

export function allFastPaths(isOn: boolean): FastPaths {
  return { rawServer: isOn, rawClient: isOn, pipeline: isOn }
}
