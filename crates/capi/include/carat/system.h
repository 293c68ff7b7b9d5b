/* Time, processes, files. */
#ifndef CARAT_SYSTEM_H
#define CARAT_SYSTEM_H 1
RUBY_SYMBOL_EXPORT_BEGIN
VALUE rb_time_new(time_t, long);
VALUE rb_time_nano_new(time_t, long);
VALUE rb_time_timespec_new(const struct timespec *, int);
VALUE rb_time_num_new(VALUE, VALUE);
struct timeval rb_time_interval(VALUE);
struct timeval rb_time_timeval(VALUE);
struct timespec rb_time_timespec(VALUE);
struct timespec rb_time_timespec_interval(VALUE);
VALUE rb_time_utc_offset(VALUE);
void rb_timespec_now(struct timespec *);
typedef off_t rb_off_t;
rb_pid_t rb_waitpid(rb_pid_t, int *, int);
VALUE rb_last_status_get(void);
VALUE rb_process_status_wait(rb_pid_t, int);
void rb_glob(const char *, void (*)(const char *, VALUE), VALUE);
VALUE rb_detach_process(rb_pid_t);
rb_pid_t rb_spawn(int, const VALUE *);
VALUE rb_f_kill(int, const VALUE *);
VALUE rb_f_abort(int, const VALUE *);
VALUE rb_proc_times(VALUE);
void rb_update_max_fd(int);
void rb_fd_fix_cloexec(int);
void rb_maygvl_fd_fix_cloexec(int);
int rb_cloexec_open(const char *, int, mode_t);
int rb_cloexec_dup(int);
int rb_cloexec_dup2(int, int);
int rb_cloexec_dup3(int, int, int);
int rb_cloexec_pipe(int[2]);
int rb_cloexec_fcntl_dupfd(int, int);
int rb_reserved_fd_p(int);
int rb_pipe(int *);
VALUE rb_io_write(VALUE, VALUE);
VALUE rb_io_gets(VALUE);
VALUE rb_io_getbyte(VALUE);
VALUE rb_io_ungetc(VALUE, VALUE);
VALUE rb_io_ungetbyte(VALUE, VALUE);
VALUE rb_io_close(VALUE);
VALUE rb_io_flush(VALUE);
VALUE rb_io_eof(VALUE);
VALUE rb_io_binmode(VALUE);
VALUE rb_io_ascii8bit_binmode(VALUE);
VALUE rb_io_addstr(VALUE, VALUE);
VALUE rb_io_printf(int, const VALUE *, VALUE);
VALUE rb_io_print(int, const VALUE *, VALUE);
VALUE rb_io_puts(int, const VALUE *, VALUE);
VALUE rb_io_fdopen(int, int, const char *);
VALUE rb_io_get_io(VALUE);
VALUE rb_io_check_io(VALUE);
VALUE rb_io_get_write_io(VALUE);
VALUE rb_io_set_write_io(VALUE, VALUE);
VALUE rb_file_open(const char *, const char *);
VALUE rb_file_open_str(VALUE, const char *);
VALUE rb_file_directory_p(VALUE);
VALUE rb_file_expand_path(VALUE, VALUE);
VALUE rb_file_absolute_path(VALUE, VALUE);
VALUE rb_file_dirname(VALUE);
VALUE rb_file_s_expand_path(int, const VALUE *);
VALUE rb_find_file(VALUE);
off_t rb_file_size(VALUE);
VALUE rb_dir_getwd(void);
VALUE rb_gets(void);
void rb_lastline_set(VALUE);
VALUE rb_f_global_variables(void);
void ruby_setenv(const char *, const char *);
void ruby_unsetenv(const char *);
/* Programs ask with #ifdef for what are macros in CRuby. */
#define rb_off_t rb_off_t
RUBY_SYMBOL_EXPORT_END
#endif
