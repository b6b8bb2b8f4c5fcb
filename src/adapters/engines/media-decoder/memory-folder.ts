/** Memory that looks like a folder. Uploads never touch a disk, and ffmpeg must be able to seek. */
export const memoryFolder = "/dev/shm";
