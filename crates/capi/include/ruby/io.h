/* Files. */
#ifndef RUBY_IO_H
#define RUBY_IO_H 1
#include "ruby/ruby.h"
#include "ruby/encoding.h"
#include <fcntl.h>
RUBY_SYMBOL_EXPORT_BEGIN
typedef int rb_io_mode_t;
#define FMODE_READABLE 0x00000001
#define FMODE_WRITABLE 0x00000002
#define FMODE_READWRITE (FMODE_READABLE | FMODE_WRITABLE)
#define FMODE_BINMODE 0x00000004
#define FMODE_SYNC 0x00000008
#define FMODE_TTY 0x00000010
#define FMODE_DUPLEX 0x00000020
#define FMODE_APPEND 0x00000040
#define FMODE_CREATE 0x00000080
#define FMODE_EXCL 0x00000400
#define FMODE_TRUNC 0x00000800
#define FMODE_TEXTMODE 0x00001000
#define FMODE_EXTERNAL 0x00010000
#define FMODE_SETENC_BY_BOM 0x00100000
#define FMODE_UNIX 0x00200000
#define FMODE_INET 0x00400000
typedef enum { RUBY_IO_READABLE = 1, RUBY_IO_PRIORITY = 2, RUBY_IO_WRITABLE = 4 } rb_io_event_t;
#define RUBY_IO_TIMEOUT_DEFAULT Qnil
typedef struct rb_io_encoding { rb_encoding *enc; rb_encoding *enc2; int ecflags; VALUE ecopts; } rb_io_enc_t;
/* A copy of what an IO is, made when somebody asks for it. */
typedef struct rb_io {
    VALUE self;
    FILE *stdio_file;
    int fd;
    int mode;
    VALUE pathv;
    VALUE tied_io_for_writing;
    VALUE write_lock;
    VALUE timeout;
    rb_io_enc_t encs;
    rb_pid_t pid;
    int lineno;
    void (*finalize)(struct rb_io *, int);
} rb_io_t;
#define HAVE_RB_IO_T 1
typedef rb_io_t OpenFile;
struct RFile { rb_io_t *fptr; };
rb_io_t *carat_io(VALUE);
struct RFile *carat_file(VALUE);
#define RFILE(v) carat_file(v)
#define GetOpenFile(v, p) rb_io_check_closed((p) = carat_io(v))
#define RB_IO_POINTER GetOpenFile
/* C code fills the record; the stream is open from its first use on. */
#define RB_IO_FPTR_NEW rb_io_make_open_file
#define MakeOpenFile(v, p) do { (p) = rb_io_make_open_file(v); } while (0)
#define RB_IO_OPEN_FILE MakeOpenFile
rb_io_t *rb_io_make_open_file(VALUE);
VALUE rb_io_taint_check(VALUE);
void rb_io_check_closed(rb_io_t *);
void rb_io_check_initialized(rb_io_t *);
void rb_io_check_readable(rb_io_t *);
void rb_io_check_writable(rb_io_t *);
void rb_io_check_char_readable(rb_io_t *);
void rb_io_check_byte_readable(rb_io_t *);
void rb_io_set_nonblock(rb_io_t *);
void rb_io_synchronized(rb_io_t *);
FILE *rb_io_stdio_file(rb_io_t *);
FILE *rb_fdopen(int, const char *);
int rb_io_descriptor(VALUE);
int rb_io_mode(VALUE);
VALUE rb_io_path(VALUE);
VALUE rb_io_timeout(VALUE);
VALUE rb_io_set_timeout(VALUE, VALUE);
VALUE rb_io_closed_p(VALUE);
VALUE rb_io_open_descriptor(VALUE, int, int, VALUE, VALUE, struct rb_io_encoding *);
VALUE rb_io_wait(VALUE, VALUE, VALUE);
VALUE rb_io_maybe_wait(int, VALUE, VALUE, VALUE);
int rb_io_maybe_wait_readable(int, VALUE, VALUE);
int rb_io_maybe_wait_writable(int, VALUE, VALUE);
int rb_io_wait_readable(int);
int rb_io_wait_writable(int);
int rb_io_extract_encoding_option(VALUE, rb_encoding **, rb_encoding **, int *);
void rb_io_extract_modeenc(VALUE *, VALUE *, VALUE, int *, int *, struct rb_io_encoding *);
int rb_io_modestr_fmode(const char *);
int rb_io_modestr_oflags(const char *);
int rb_io_oflags_fmode(int);
ssize_t rb_io_bufwrite(VALUE, const void *, size_t);
int rb_io_read_pending(rb_io_t *);
void rb_io_read_check(rb_io_t *);
rb_encoding *rb_io_enc_t_encoding(rb_io_t *);
RUBY_SYMBOL_EXPORT_END
#endif
