// The secret that signs requests between a gateway and its sandbox, if the two share a data folder and no secret is
// set.
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'

import { openSecretFolder, readOrCreateSecret } from '../src/platform/base/secret-file.ts'

/** The process that starts first creates the secret. */
export function sandboxSecret(dataDir: string): string {
  const file = join(dataDir, 'sandbox', 'card-issuer.secret')
  openSecretFolder(dirname(file))
  return readOrCreateSecret(file, () => randomBytes(32).toString('hex'))
}
