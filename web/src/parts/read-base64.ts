export async function readBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  // The bytes are converted in slices, because a call with too many arguments would overflow the stack.
  const SLICE = 8_192
  for (let at = 0; at < bytes.length; at += SLICE)
    text += String.fromCharCode(...bytes.subarray(at, at + SLICE))
  return btoa(text)
}
