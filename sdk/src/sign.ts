// Signs requests: MD5 over a few fields and the merchant key, or RSA over the whole body.
import { escapedString, type Fields } from './canonical.ts'
import { endpoints } from './generated.ts'
import { md5 } from './md5.ts'
import { signRsa } from './rsa.ts'

export type Path = keyof typeof endpoints

/** The key with which a merchant signs its requests. */
export type SigningKey =
  | { readonly key: string; readonly privateKey?: undefined }
  /** A PEM in PKCS#8. The gateway must have the public key. */
  | { readonly privateKey: string; readonly key?: undefined }

export function signRequest(path: Path, fields: Fields, by: SigningKey): string | Promise<string> {
  if (by.privateKey !== undefined) return signRsa(by.privateKey, escapedString(fields))
  return md5(textToSign(path, fields) + by.key)
}

/** The text that MD5 covers, without the key. */
export function textToSign(path: Path, fields: Fields): string {
  return signedFields(path, fields)
    .map((name) => String(fields[name] ?? ''))
    .join('')
}

/**
 * The names of the fields that MD5 covers. The longer list is used if the body has all its fields, so that nobody can
 * replay a refund request with another refund number.
 */
function signedFields(path: Path, fields: Fields): readonly string[] {
  const endpoint = endpoints[path]
  if (!('signedLonger' in endpoint)) return endpoint.signed
  const isLonger = endpoint.signedLonger.every((name) => fields[name] !== undefined && fields[name] !== '')
  return isLonger ? endpoint.signedLonger : endpoint.signed
}
